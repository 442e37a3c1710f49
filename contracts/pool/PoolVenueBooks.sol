// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IDepositPoolVenueAdapter} from "../lib/PoolInterfaces.sol";
import {PoolPledges} from "./PoolPledges.sol";

/// @notice What the pool has at its venue: principal at cost, returns and losses.
abstract contract PoolVenueBooks is PoolPledges {
    struct VenueDeployment {
        uint256 principalAssets;
        uint256 recalledPrincipalAssets;
        uint64 returnBy;
        bytes32 adapterRequestId;
        IDepositPoolVenueAdapter.RequestStatus status;
    }

    struct VenueRecall {
        uint256 deploymentId;
        uint256 requestedAssets;
        uint256 returnedAssets;
        bytes32 adapterRequestId;
        IDepositPoolVenueAdapter.RequestStatus status;
    }

    event VenuePrincipalReturned(
        uint256 indexed deploymentId, uint256 returnedAssets, uint256 principalReduction
    );
    event VenueLossWrittenOff(uint256 indexed deploymentId, uint256 assets, uint256 remainingPrincipalCostBasis);

    error InvalidVenueAdapter();
    error VenueNotConfigured();
    error VenueDeploymentNotFound();
    error VenueLossExceedsOutstanding(uint256 outstanding, uint256 attempted);
    error VenueRequestMismatch();
    error VenueRequestPending();

    /// @notice Zero when the pool has no venue.
    address public immutable venueAdapter;
    /// @notice Principal at the venue that is neither returned nor written off.
    uint256 public venuePrincipalCostBasis;
    uint256 public activeVenueDeploymentId;
    uint256 public activeVenueRecallId;
    mapping(uint256 deploymentId => VenueDeployment) public venueDeployments;
    mapping(uint256 recallId => VenueRecall) public venueRecalls;
    mapping(uint256 deploymentId => uint256) public venueWrittenOffPrincipalAssets;
    mapping(bytes32 adapterRequestId => uint256 deploymentId) internal _deploymentOf;

    constructor(address venueAdapter_) {
        venueAdapter = venueAdapter_;
        if (venueAdapter_ == address(0)) return;
        if (venueAdapter_.code.length == 0) revert InvalidVenueAdapter();
        IDepositPoolVenueAdapter adapter = IDepositPoolVenueAdapter(venueAdapter_);
        if (adapter.asset() != asset || adapter.lossReporter() == address(0)) revert InvalidVenueAdapter();
    }

    /// @notice Books tokens that the adapter sent outside of a settlement.
    function recordVenueReturn(bytes32 adapterRequestId, uint256 assets) external nonReentrant {
        if (msg.sender != venueAdapter) revert Unauthorized();
        if (assets == 0) revert ZeroAmount();
        uint256 deploymentId = _deploymentOf[adapterRequestId];
        if (deploymentId == 0) revert VenueDeploymentNotFound();
        _bookReturn(deploymentId, assets);
    }

    /// @notice Lowers the price by principal that will not come back.
    function writeOffVenueLoss(uint256 deploymentId, uint256 assets) external nonReentrant {
        if (venueAdapter == address(0)) revert VenueNotConfigured();
        if (msg.sender != IDepositPoolVenueAdapter(venueAdapter).lossReporter()) revert Unauthorized();
        if (assets == 0) revert ZeroAmount();
        if (venueDeployments[deploymentId].principalAssets == 0) revert VenueDeploymentNotFound();
        uint256 outstanding = _outstanding(deploymentId);
        if (assets > outstanding) revert VenueLossExceedsOutstanding(outstanding, assets);
        venueWrittenOffPrincipalAssets[deploymentId] += assets;
        venuePrincipalCostBasis -= assets;
        emit VenueLossWrittenOff(deploymentId, assets, venuePrincipalCostBasis);
        _closeIfDone(deploymentId);
    }

    /// @notice Tokens in the pool and principal at the venue at cost; what a venue reports never enters the price.
    function totalAssets() public view override returns (uint256 assets) {
        return bufferAssets() + venuePrincipalCostBasis;
    }

    /// @dev Up to the outstanding principal a return is principal, above it yield.
    function _bookReturn(uint256 deploymentId, uint256 assets) internal {
        uint256 outstanding = _outstanding(deploymentId);
        uint256 reduction = assets < outstanding ? assets : outstanding;
        venueDeployments[deploymentId].recalledPrincipalAssets += reduction;
        venuePrincipalCostBasis -= reduction;
        emit VenuePrincipalReturned(deploymentId, assets, reduction);
        _closeIfDone(deploymentId);
    }

    function _closeIfDone(uint256 deploymentId) internal {
        if (activeVenueDeploymentId != deploymentId || activeVenueRecallId != 0) return;
        if (_outstanding(deploymentId) == 0) activeVenueDeploymentId = 0;
    }

    /// @dev Takes what the adapter settled and answers the tokens that arrived.
    function _claim(bytes32 adapterRequestId) internal returns (uint256 received) {
        uint256 before = bufferAssets();
        IDepositPoolVenueAdapter(venueAdapter).claimSettled(adapterRequestId);
        return bufferAssets() - before;
    }

    /// @dev The adapter's record of a request that it has settled and that is what the pool asked for.
    function _settledRequest(
        IDepositPoolVenueAdapter.RequestKind kind,
        bytes32 adapterRequestId,
        uint256 assets,
        uint64 returnBy
    ) internal view returns (IDepositPoolVenueAdapter.Request memory request) {
        request = IDepositPoolVenueAdapter(venueAdapter).getRequest(adapterRequestId);
        if (request.status == IDepositPoolVenueAdapter.RequestStatus.Pending) revert VenueRequestPending();
        bool isKnown = request.status != IDepositPoolVenueAdapter.RequestStatus.None && request.kind == kind;
        bool isEqual = request.requestedAssets == assets && request.returnBy == returnBy;
        if (!isKnown || !isEqual || request.claimed) revert VenueRequestMismatch();
    }

    function _outstanding(uint256 deploymentId) internal view returns (uint256) {
        VenueDeployment storage deployment = venueDeployments[deploymentId];
        return deployment.principalAssets - deployment.recalledPrincipalAssets
            - venueWrittenOffPrincipalAssets[deploymentId];
    }
}
