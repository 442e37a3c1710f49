// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {PolicyRoles} from "./policy/PolicyRoles.sol";

/// @title TreasuryPolicy
/// @notice Parameters, roles, pause switch and outflow meter of the protocol. Holds no tokens.
contract TreasuryPolicy is PolicyRoles {
    uint256 private constant BPS = 10_000;

    event DailyOutflowCapUpdated(uint256 newCap);
    event PerAccountBorrowCapUpdated(uint256 newCap);
    event MinimumCollateralRatioUpdated(uint256 newRatioBps);
    event DefaultClaimStakeBpsUpdated(uint16 newClaimStakeBps);
    event ClaimFeeBpsUpdated(uint16 newClaimFeeBps);
    event ClaimFeeVerifierBpsUpdated(uint16 newClaimFeeVerifierBps);
    event OnboardingWaiverClaimCountUpdated(uint256 newClaimCount);
    event MinClaimFeeUpdated(address indexed asset, uint256 amount);
    event RejectionSkillPenaltyUpdated(uint256 newPenalty);
    event RejectionReliabilityPenaltyUpdated(uint256 newPenalty);
    event DisputeLossSkillPenaltyUpdated(uint256 newPenalty);
    event DisputeLossReliabilityPenaltyUpdated(uint256 newPenalty);
    event OutflowRecorded(
        address indexed account, uint256 day, uint256 amount, uint256 accountTotal, uint256 aggregateTotal
    );

    error OutflowCapExceeded();

    uint256 public dailyOutflowCap = type(uint256).max;
    uint256 public perAccountBorrowCap = type(uint256).max;
    uint256 public minimumCollateralRatioBps = 15_000;
    uint16 public defaultClaimStakeBps = 500;
    uint16 public claimFeeBps = 200;
    uint16 public claimFeeVerifierBps = 7_000;
    uint256 public onboardingWaiverClaimCount = 3;
    mapping(address asset => uint256) public minClaimFeeByAsset;
    uint256 public rejectionSkillPenalty = 10;
    uint256 public rejectionReliabilityPenalty = 20;
    uint256 public disputeLossSkillPenalty = 30;
    uint256 public disputeLossReliabilityPenalty = 50;

    uint256 public currentDay;
    uint256 public outflowToday;
    mapping(address account => uint256) public accountOutflowDay;
    mapping(address account => uint256) public accountOutflowToday;

    /// @notice Sets the outflow limit per account and UTC day.
    function setDailyOutflowCap(uint256 cap) external onlyOwner {
        dailyOutflowCap = cap;
        emit DailyOutflowCapUpdated(cap);
    }

    /// @notice Sets the debt limit per account.
    function setPerAccountBorrowCap(uint256 cap) external onlyOwner {
        perAccountBorrowCap = cap;
        emit PerAccountBorrowCapUpdated(cap);
    }

    /// @notice Sets how much collateral a debt needs, never below 100 %.
    function setMinimumCollateralRatioBps(uint256 ratioBps) external onlyOwner {
        require(ratioBps >= BPS, "LOW_RATIO");
        minimumCollateralRatioBps = ratioBps;
        emit MinimumCollateralRatioUpdated(ratioBps);
    }

    /// @notice Sets the share of the reward that a worker stakes on a claim.
    function setDefaultClaimStakeBps(uint16 claimStakeBps) external onlyOwner {
        _checkBps(claimStakeBps);
        defaultClaimStakeBps = claimStakeBps;
        emit DefaultClaimStakeBpsUpdated(claimStakeBps);
    }

    /// @notice Sets the claim fee as a share of the reward.
    function setClaimFeeBps(uint16 feeBps) external onlyOwner {
        _checkBps(feeBps);
        claimFeeBps = feeBps;
        emit ClaimFeeBpsUpdated(feeBps);
    }

    /// @notice Sets the verifier's part of a slashed claim fee.
    function setClaimFeeVerifierBps(uint16 verifierBps) external onlyOwner {
        _checkBps(verifierBps);
        claimFeeVerifierBps = verifierBps;
        emit ClaimFeeVerifierBpsUpdated(verifierBps);
    }

    /// @notice Sets how many claims of a new worker are free of stake and fee.
    function setOnboardingWaiverClaimCount(uint256 claimCount) external onlyOwner {
        onboardingWaiverClaimCount = claimCount;
        emit OnboardingWaiverClaimCountUpdated(claimCount);
    }

    /// @notice Sets the floor of the claim fee in one asset.
    function setMinClaimFee(address asset, uint256 amount) external onlyOwner {
        minClaimFeeByAsset[asset] = amount;
        emit MinClaimFeeUpdated(asset, amount);
    }

    /// @notice Sets the skill lost by a final rejection.
    function setRejectionSkillPenalty(uint256 penalty) external onlyOwner {
        rejectionSkillPenalty = penalty;
        emit RejectionSkillPenaltyUpdated(penalty);
    }

    /// @notice Sets the reliability lost by a final rejection.
    function setRejectionReliabilityPenalty(uint256 penalty) external onlyOwner {
        rejectionReliabilityPenalty = penalty;
        emit RejectionReliabilityPenaltyUpdated(penalty);
    }

    /// @notice Sets the skill lost by a lost dispute.
    function setDisputeLossSkillPenalty(uint256 penalty) external onlyOwner {
        disputeLossSkillPenalty = penalty;
        emit DisputeLossSkillPenaltyUpdated(penalty);
    }

    /// @notice Sets the reliability lost by a lost dispute.
    function setDisputeLossReliabilityPenalty(uint256 penalty) external onlyOwner {
        disputeLossReliabilityPenalty = penalty;
        emit DisputeLossReliabilityPenaltyUpdated(penalty);
    }

    /// @notice Counts tokens that an account takes out and enforces the daily cap of that account.
    function recordOutflow(address account, uint256 amount) external {
        if (_countOutflow(account, amount) > dailyOutflowCap) revert OutflowCapExceeded();
    }

    /// @notice Counts tokens that leave by a rule of the protocol; never refused by the cap.
    function recordProtocolOutflow(address account, uint256 amount) external {
        _countOutflow(account, amount);
    }

    function _countOutflow(address account, uint256 amount) private returns (uint256 accountTotal) {
        if (!outflowRecorder[msg.sender]) revert Unauthorized();
        require(account != address(0), "ZERO_ACCOUNT");
        uint256 day = block.timestamp / 1 days;
        if (day != currentDay) {
            currentDay = day;
            outflowToday = 0;
        }
        if (day != accountOutflowDay[account]) {
            accountOutflowDay[account] = day;
            accountOutflowToday[account] = 0;
        }
        accountTotal = accountOutflowToday[account] + amount;
        accountOutflowToday[account] = accountTotal;
        outflowToday += amount;
        emit OutflowRecorded(account, day, amount, accountTotal, outflowToday);
    }

    function _checkBps(uint256 bps) private pure {
        require(bps <= BPS, "INVALID_BPS");
    }
}
