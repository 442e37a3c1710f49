// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice The part of an ERC-20 token that the protocol uses.
interface IERC20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function approve(address spender, uint256 amount) external returns (bool);
}

/// @notice Parameters, roles, pause switch and outflow meter as the other contracts see them.
interface ITreasuryPolicy {
    function owner() external view returns (address);
    function paused() external view returns (bool);
    function approvedAssets(address asset) external view returns (bool);
    function approvedStrategies(address strategy) external view returns (bool);
    function settlementBroker(address operator) external view returns (bool);
    function agentTransferBroker(address operator) external view returns (bool);
    function strategySettler(address operator) external view returns (bool);
    function reputationWriter(address operator) external view returns (bool);
    function trustedSchemaIssuers(address issuer) external view returns (bool);
    function verifiers(address verifier) external view returns (bool);
    function arbitrators(address arbitrator) external view returns (bool);
    function perAccountBorrowCap() external view returns (uint256);
    function minimumCollateralRatioBps() external view returns (uint256);
    function defaultClaimStakeBps() external view returns (uint16);
    function claimFeeBps() external view returns (uint16);
    function claimFeeVerifierBps() external view returns (uint16);
    function onboardingWaiverClaimCount() external view returns (uint256);
    function minClaimFeeByAsset(address asset) external view returns (uint256);
    function rejectionSkillPenalty() external view returns (uint256);
    function rejectionReliabilityPenalty() external view returns (uint256);
    function disputeLossSkillPenalty() external view returns (uint256);
    function disputeLossReliabilityPenalty() external view returns (uint256);
    function recordOutflow(address account, uint256 amount) external;
    function recordProtocolOutflow(address account, uint256 amount) external;
}

/// @notice The custody calls that the escrow uses.
interface IAgentAccountCore {
    function reserveForJob(address account, address asset, uint256 amount) external;
    function consumeRecurringTemplateReserve(address account, address asset, bytes32 templateId, uint256 amount)
        external;
    function refundReserved(address account, address asset, uint256 amount) external;
    function settleReservedTo(
        bytes32 settlementId,
        address account,
        address asset,
        address recipient,
        uint256 amount
    ) external;
    function lockJobStake(address account, address asset, uint256 amount) external;
    function releaseJobStake(address account, address asset, uint256 amount) external;
    function slashJobStake(address account, address asset, uint256 amount, address posterRecipient) external;
    function slashClaimFee(address account, address asset, uint256 amount, address verifierRecipient) external;
}

/// @notice The badge and score calls that the escrow uses.
interface IReputationSBT {
    function mintBadge(address account, bytes32 category, uint256 level, string calldata metadataURI)
        external
        returns (uint256 tokenId);
    function updateReputation(address account, uint256 skill, uint256 reliability, uint256 economic) external;
    function slashReputation(
        address account,
        uint256 skillDelta,
        uint256 reliabilityDelta,
        uint256 economicDelta,
        bytes32 reasonCode
    ) external;
}
