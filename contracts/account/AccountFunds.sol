// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountBase} from "./AccountBase.sol";

/// @notice Deposits, withdrawals and the job reserves of posters.
abstract contract AccountFunds is AccountBase {
    event Deposited(address indexed account, address indexed asset, uint256 amount);
    event Withdrawn(address indexed account, address indexed asset, uint256 amount);
    event Reserved(address indexed account, address indexed asset, uint256 amount);
    event ReservationReleased(address indexed account, address indexed asset, uint256 amount);
    event RecurringTemplateReserveCancelled(
        address indexed account, address indexed asset, bytes32 indexed templateId, uint256 amount
    );
    event ReservationSettled(
        bytes32 indexed settlementId, address indexed account, address indexed recipient, address asset, uint256 amount
    );

    error InvalidSettlement();
    error SettlementAlreadyExecuted();

    mapping(address account => mapping(address asset => mapping(bytes32 templateId => uint256))) public
        recurringTemplateReserves;
    /// @notice Settlement ids are global: one leg is paid once, whichever escrow asks.
    mapping(bytes32 settlementId => bool) public settlementExecuted;

    /// @notice Takes tokens of the caller into custody. The argument is credited, not a measured delta.
    function deposit(address asset, uint256 amount) external nonReentrant whenNotPaused onlySupportedAsset(asset) {
        require(amount > 0, "ZERO_AMOUNT");
        positions[msg.sender][asset].liquid += amount;
        _pull(asset, msg.sender, amount);
        emit Deposited(msg.sender, asset, amount);
    }

    /// @notice Pays spendable funds out to the caller, within the daily outflow cap.
    function withdraw(address asset, uint256 amount) external nonReentrant whenNotPaused onlySupportedAsset(asset) {
        _spend(msg.sender, asset, amount);
        policy.recordOutflow(msg.sender, amount);
        _push(asset, msg.sender, amount);
        emit Withdrawn(msg.sender, asset, amount);
    }

    /// @notice Sets spendable funds aside for a job.
    function reserveForJob(address account, address asset, uint256 amount)
        external
        whenNotPaused
        onlyAccountOrSettlementBroker(account)
        onlySupportedAsset(asset)
    {
        _reserve(account, asset, amount);
    }

    /// @notice Sets spendable funds aside for the future jobs of a template.
    function reserveForRecurringTemplate(address account, address asset, bytes32 templateId, uint256 amount)
        external
        whenNotPaused
        onlyAccountOrSettlementBroker(account)
        onlySupportedAsset(asset)
    {
        if (templateId == bytes32(0) || amount == 0) revert ZeroAmount();
        recurringTemplateReserves[account][asset][templateId] += amount;
        _reserve(account, asset, amount);
    }

    /// @notice Turns a part of a template reserve into the reserve of one job.
    function consumeRecurringTemplateReserve(address account, address asset, bytes32 templateId, uint256 amount)
        external
        whenNotPaused
        onlyEscrow
        onlySupportedAsset(asset)
    {
        _takeTemplateReserve(account, asset, templateId, amount);
    }

    /// @notice Gives an unused template reserve back to the account.
    function cancelRecurringTemplateReserve(address account, address asset, bytes32 templateId, uint256 amount)
        external
        whenNotPaused
        onlyAccountOrSettlementBroker(account)
        onlySupportedAsset(asset)
    {
        if (templateId == bytes32(0) || amount == 0) revert ZeroAmount();
        _takeTemplateReserve(account, asset, templateId, amount);
        _takeReserved(account, asset, amount).liquid += amount;
        emit RecurringTemplateReserveCancelled(account, asset, templateId, amount);
        emit ReservationReleased(account, asset, amount);
    }

    /// @notice Gives an unused job reserve back to the poster.
    function refundReserved(address account, address asset, uint256 amount)
        external
        whenNotPaused
        onlyEscrow
        onlySupportedAsset(asset)
    {
        _takeReserved(account, asset, amount).liquid += amount;
        emit ReservationReleased(account, asset, amount);
    }

    /// @notice Pays a job reserve to a recipient; the recipient's debt is repaid first and silently.
    function settleReservedTo(
        bytes32 settlementId,
        address account,
        address asset,
        address recipient,
        uint256 amount
    ) external nonReentrant whenNotPaused onlyEscrow onlySupportedAsset(asset) {
        if (settlementId == bytes32(0)) revert InvalidSettlement();
        if (recipient == address(0)) revert InvalidRecipient();
        if (amount == 0) revert ZeroAmount();
        if (settlementExecuted[settlementId]) revert SettlementAlreadyExecuted();
        settlementExecuted[settlementId] = true;
        _takeReserved(account, asset, amount);
        Position storage payee = positions[recipient][asset];
        uint256 repaid = amount < payee.debtOutstanding ? amount : payee.debtOutstanding;
        payee.debtOutstanding -= repaid;
        payee.liquid += amount - repaid;
        emit ReservationSettled(settlementId, account, recipient, asset, amount);
    }

    function _reserve(address account, address asset, uint256 amount) private {
        _spend(account, asset, amount).reserved += amount;
        emit Reserved(account, asset, amount);
    }

    function _takeTemplateReserve(address account, address asset, bytes32 templateId, uint256 amount) private {
        uint256 available = recurringTemplateReserves[account][asset][templateId];
        if (available < amount) revert InsufficientReserved();
        recurringTemplateReserves[account][asset][templateId] = available - amount;
    }
}
